import type { ClientSettings } from '../overview/env-file'

export const nextjs = ({ scopes }: ClientSettings): string => `// npm install next-auth@beta
// .env.local: the values above, and AUTH_SECRET (npx auth secret)
import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'keyward',
      name: 'Keyward',
      type: 'oidc',
      issuer: process.env.OIDC_ISSUER,
      clientId: process.env.OIDC_CLIENT_ID,
      clientSecret: process.env.OIDC_CLIENT_SECRET,
      authorization: { params: { scope: '${scopes.join(' ')}' } },
      checks: ['pkce', 'state'],
    },
  ],
})

// app/api/auth/[...nextauth]/route.ts
//   import { handlers } from '@/auth'
//   export const { GET, POST } = handlers
//
// Read the user in a server component: const session = await auth()
`
