import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { createAreaName } from './vite-plugins/area-name.ts'
import { bootData, plainBootBlock } from './vite-plugins/boot-data.ts'
import { rejectChunkLoops } from './vite-plugins/chunk-loops.ts'
import { icons } from './vite-plugins/icons.ts'
import { messages } from './vite-plugins/messages.ts'
import { preloadFont } from './vite-plugins/preload-font.ts'
import { signInDocument } from './vite-plugins/sign-in-document.ts'

/** The URL of the service during development. */
const service = process.env.KEYWARD_SERVICE ?? 'http://localhost:3000'

/** The server replaces this placeholder with a fresh nonce in each response; during development it is the nonce. */
const nonce = '__CSP_NONCE__'

/** The policy of the server's pages, and the socket of Vite's development client. */
const developmentPolicy = [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  `img-src 'self' data: ${service}`,
  "font-src 'self'",
  `connect-src 'self' ${service} ws://localhost:5173`,
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** The service compares Origin with its own URL, so proxied calls must send that URL. */
const proxied = { target: service, changeOrigin: true, headers: { origin: service } }

/** The name of a file without its extension and without the names of all documents and pages that share it. */
const shortName = (name: string) => name.replace(/\.\w+$/, '').split('~')[0]

/** Divides the modules of a group into chunks by the pages that load them, and unites small chunks. */
const divided = { entriesAware: true, includeDependenciesRecursively: false } as const

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    !isSsrBuild && rejectChunkLoops(),
    messages(),
    icons(),
    react(),
    signInDocument(),
    preloadFont(),
    bootData(service),
    plainBootBlock(),
  ],
  html: { cspNonce: nonce },
  // The server renders sign-in pages with a bundle that contains every package: it has no dependency on React.
  ...(isSsrBuild && { ssr: { noExternal: true as const }, define: { 'process.env.NODE_ENV': '"production"' } }),
  build: {
    target: 'es2022',
    copyPublicDir: !isSsrBuild,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? { input: 'src/sign-in/render.tsx' }
      : {
          input: ['index.html', 'sign-in.html'],
          output: {
            chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
            assetFileNames: ({ names: [name = ''] }) => `assets/${shortName(name)}-[hash][extname]`,
            codeSplitting: {
              groups: [
                // The sign-in pages that follow each other, with all that they import: one file instead of thirty.
                { name: 'sign-in-pages', test: /\/src\/sign-in\/(pages|sign-in-app)\.tsx?$/, priority: 1 },
                // The modules that a document loads first. The file that starts a document is not among them, because an import would start it.
                {
                  ...divided,
                  name: 'start',
                  test: /^(?!.*([\\/]main\.tsx|\.html)$)/,
                  tags: ['$initial'],
                  entriesAwareMergeThreshold: 40_000,
                },
                {
                  ...divided,
                  name: 'packages',
                  test: /[\\/]node_modules[\\/]/,
                  entriesAwareMergeThreshold: 10_000,
                },
                {
                  debugName: 'areas',
                  name: createAreaName(),
                  test: /[\\/]src[\\/]|^\0virtual:/,
                  includeDependenciesRecursively: false,
                },
              ],
            },
          },
        },
  },
  server: {
    port: 5173,
    strictPort: true,
    headers: { 'Content-Security-Policy': developmentPolicy, 'Referrer-Policy': 'no-referrer' },
    proxy: {
      '/api': proxied,
      '/scim': proxied,
      '/livez': proxied,
      '/readyz': proxied,
      '/openapi.json': proxied,
      '/docs': proxied,
    },
  },
}))
