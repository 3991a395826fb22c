/** Loads code together with the styles that the first pages do without. */
export async function loadWithStyles<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([load(), import('./later.css')]);
  return module;
}
