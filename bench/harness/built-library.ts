/**
 * A module of the measured build, for what must be written exactly as the service writes it.
 * @param file below `dist`, without its ending
 */
export const fromBuild = <Module>(build: URL, file: string): Promise<Module> =>
  import(new URL(`dist/${file}.js`, build).href) as Promise<Module>
