/**
 * Imports a module of the measured build, to write data exactly as the service writes it.
 * @param file path below `dist`, without the extension
 */
export const fromBuild = <Module>(build: URL, file: string): Promise<Module> =>
  import(new URL(`dist/${file}.js`, build).href) as Promise<Module>
