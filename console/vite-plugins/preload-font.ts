import type { Plugin } from 'vite'

/** Lets the browser request the font with the style sheet, in place of after it. */
export function preloadFont(): Plugin {
  return {
    name: 'keyward-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        if (!file) throw new Error('The build has no font')
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
