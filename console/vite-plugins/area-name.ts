import { basename } from 'node:path'

/** The part of the bundler's module information that this needs. */
interface Graph {
  getModuleInfo(id: string): ModuleInfo | null
}
interface ModuleInfo {
  isEntry: boolean
  importers: readonly string[]
  dynamicImporters: readonly string[]
}

/** Files with routes of the console, which import its pages. */
const ROUTES = /[\\/](\w+-)*routes?\.tsx$/
/** In place of an area: a document or a page before the sign-in. Each loads as little as possible, so the bundler divides their modules by itself. */
const OTHER = Symbol('document or sign-in page')

/**
 * Creates a function that names the chunk of a module of the console: its area (a folder of `features`) if only the pages of one area load it, or
 * `console` if several areas do. Without these chunks a page loads a hundred files, most of them smaller than two kilobytes. The function returns
 * null for modules that a document or a page before the sign-in loads.
 */
export function createAreaName(): (id: string, graph: Graph) => string | null {
  const known = new Map<string, ReadonlySet<string | typeof OTHER>>()

  /** Returns the areas whose pages load a module. */
  function areasOf(id: string, graph: Graph): ReadonlySet<string | typeof OTHER> {
    const found = known.get(id)
    if (found) return found
    // The modules of the console import each other without loops, which `npm run check` verifies.
    const areas = new Set<string | typeof OTHER>()
    known.set(id, areas)
    const info = graph.getModuleInfo(id)
    if (info?.isEntry) areas.add(OTHER)
    const importers = [...(info?.importers ?? [])]
    for (const importer of info?.dynamicImporters ?? []) {
      if (ROUTES.test(importer)) areas.add(areaOfPage(id))
      // A part that a page loads later.
      else importers.push(importer)
    }
    for (const importer of importers) for (const area of areasOf(importer, graph)) areas.add(area)
    return areas
  }

  return (id, graph) => {
    const [area, ...others] = areasOf(id, graph)
    if (area === undefined || area === OTHER || others.includes(OTHER)) return null
    return others.length > 0 ? 'console' : area
  }
}

/** Returns the folder of a page below `features`, or the name of a page of another folder. */
const areaOfPage = (id: string): string =>
  /[\\/]src[\\/]features[\\/]([\w-]+)[\\/]/.exec(id)?.[1] ?? basename(id).replace(/\.\w+$/, '')
