import type { Plugin } from 'vite'
import { isSignInPage } from '../../server/src/features/pages/page-routes.ts'

/** In production the server chooses the document of a page, the console or the sign-in pages; in development this does. */
export function signInDocument(): Plugin {
  return {
    name: 'keyward-sign-in-document',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const [path = ''] = (request.url ?? '').split('?', 1)
        if (request.method === 'GET' && isSignInPage(path)) request.url = '/sign-in.html'
        next()
      })
    },
  }
}
