/** The schema as SQL that creates it in an empty database, so that a reader finds each table with all its parts. */
import type { Schema, SchemaColumn, SchemaSequence, SchemaTable, SchemaView } from './read-schema.ts';

const HEAD = `-- The schema that the migrations make: npx node gateway/generators/schema/write-schema.ts writes this file.
-- Read it; never run it on a database of a gateway, whose schema comes from \`gateway migrate\`.`;

export function schemaText({ tables, views, sequences }: Schema): string {
  const parts = [...sequences.map(sequenceText), ...tables.map(tableText), ...views.map(viewText)];
  return `${HEAD}\n\n${parts.join('\n\n')}\n`;
}

function sequenceText({ name, comment, options, rights }: SchemaSequence): string {
  return lines(
    `create sequence ${name} ${options};`,
    commentOn(`sequence ${name}`, comment),
    grant(rights, `sequence ${name}`),
  );
}

function tableText({ name, comment, columns, constraints, indexes, parameters, rights }: SchemaTable): string {
  const members = [
    ...columns.map(columnText),
    ...constraints.map((constraint) => `constraint ${constraint.name} ${constraint.definition}`),
  ];
  const storage = parameters.length > 0 ? ` with (${parameters.join(', ')})` : '';
  return lines(
    `create table ${name} (\n${members.map((member) => `  ${member}`).join(',\n')}\n)${storage};`,
    ...indexes.map((index) => `${index};`),
    commentOn(`table ${name}`, comment),
    ...columns.map((column) => commentOn(`column ${name}.${column.name}`, column.comment)),
    grant(rights, name),
  );
}

function columnText({ name, type, isRequired, default: fallback }: SchemaColumn): string {
  return `${name} ${type}${isRequired ? ' not null' : ''}${fallback === null ? '' : ` default ${fallback}`}`;
}

function viewText({ name, comment, columns, query, rights }: SchemaView): string {
  return lines(
    `create view ${name} as\n${query}`,
    commentOn(`view ${name}`, comment),
    ...columns.map((column) => commentOn(`column ${name}.${column.name}`, column.comment)),
    grant(rights, name),
  );
}

function commentOn(object: string, comment: string | null): string {
  return comment === null ? '' : `comment on ${object} is '${comment.replaceAll("'", "''")}';`;
}

function grant(rights: readonly string[], object: string): string {
  return rights.length === 0 ? '' : `grant ${rights.join(', ')} on ${object} to gateway_app;`;
}

const lines = (...parts: readonly string[]) => parts.filter((part) => part !== '').join('\n');
