/** The figures of a chart as a CSV file. */

export function csvOf(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

/** A cell that begins like a formula gets an apostrophe, so that a spreadsheet does not evaluate it. */
function cellOf(text: string): string {
  const safe = /^[=+@\t\r]|^-\D/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
