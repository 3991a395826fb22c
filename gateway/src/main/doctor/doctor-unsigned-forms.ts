/** The doctor's check of merchants that accept unsigned forms. */
import type pg from 'pg';
import type { Finding } from '../../cli/command-host.ts';
import { readUnsignedForms } from '../compose/read-unsigned-forms.ts';
import { good, noted } from './doctor-finding.ts';

/** Requires a migrated database. */
export async function examineUnsignedForms(connection: pg.ClientConfig): Promise<Finding> {
  const unsigned = await readUnsignedForms(connection);
  if (!unsigned) return good('Unsigned forms', 'no merchant accepts unsigned forms');
  return noted(
    'Unsigned forms',
    `accepted by ${unsigned.found}`,
    'After a merchant signs all of its links, run: gateway merchant edit MERCHANT --set form_sign=required',
  );
}
