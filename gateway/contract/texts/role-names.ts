/** The English names of the roles. */
export const ROLE_NAMES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  finance: 'Finance',
  approver: 'Approver',
  developer: 'Developer',
  support: 'Support',
  viewer: 'Viewer',
  administrator: 'Administrator',
  operations: 'Operations',
  treasury: 'Treasury',
  risk: 'Risk',
  auditor: 'Auditor',
};
