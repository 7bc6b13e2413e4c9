import logos from '@iconify-json/simple-icons/icons.json' with { type: 'json' }
import outlines from '@iconify-json/tabler/icons.json' with { type: 'json' }
import type { Plugin } from 'vite'

/** The sets by the name that their modules have: `virtual:outline/fingerprint`, `virtual:logo/okta`. */
const sets: Record<string, Record<string, { body: string } | undefined>> = {
  outline: outlines.icons,
  logo: logos.icons,
}

const MODULE = /^virtual:(outline|logo)\/([\w-]+)$/

/** Makes a module of each icon that is imported: the data of its paths, on a grid of 24 px. Throws if the set has no such icon. */
export const icons = (): Plugin => ({
  name: 'icons',
  resolveId: (id) => (MODULE.test(id) ? `\0${id}` : undefined),
  load(id) {
    const [, set = '', name = ''] = MODULE.exec(id.slice(1)) ?? []
    if (!set) return
    return `export default ${JSON.stringify(pathsOf(`${set}/${name}`, sets[set]?.[name]?.body ?? ''))}`
  },
})

function pathsOf(icon: string, body: string): string[] {
  const elements = [...body.matchAll(/<(\w+)/g)].map(([, element]) => element)
  const paths = [...body.matchAll(/ d="([^"]+)"/g)].map(([, data = '']) => data)
  if (paths.length === 0 || elements.some((element) => element !== 'path' && element !== 'g'))
    throw new Error(`The icon ${icon} does not exist or has other elements than paths`)
  return paths
}
