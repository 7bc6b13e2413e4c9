/** The line of rooms, left to right: a room imports only rooms to its left, and only through their door (`index.ts`). */
const ROOMS = [
  'audit',
  'permissions',
  'settings',
  'users',
  'teams',
  'members',
  'groups',
  'applications',
  'policies',
  'sessions',
  'credentials',
  'mfa',
  'user-management',
  'authentication',
  'saml-keys',
  'sso',
  'oidc-config',
  'oidc-provider',
  'saml-provider',
  'scim',
  'ldap',
  'webhooks',
  'logos',
  'pages',
]

const SERVER = '^server/src'
const FEATURES = `${SERVER}/features`
const TEST = '\\.test\\.ts$'

const lineOfRooms = ROOMS.map((room, place) => ({
  name: `room-${room}-looks-left`,
  comment: `${room} may import only the rooms to its left in the line (ARCHITECTURE.md).`,
  severity: 'error',
  from: { path: `${FEATURES}/${room}/`, pathNot: TEST },
  to: { path: `${FEATURES}/`, pathNot: [`${FEATURES}/(${[...ROOMS.slice(0, place), room].join('|')})/`] },
}))

const onlyIn = (name, packages, place) => ({
  name: `only-in-${name}`,
  comment: `${packages} is used in one place, behind names of ours.`,
  severity: 'error',
  from: { path: `${SERVER}/`, pathNot: [place, TEST] },
  to: { path: `node_modules/(${packages})/` },
})

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(server|console)/src',
        pathNot: ['\\.d\\.ts$', TEST, 'worker-from-source\\.mjs$', '\\.gen\\.ts$'],
      },
      to: {},
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^\\.\\./dist/', 'dist/'] },
    },
    ...lineOfRooms,
    {
      name: 'rooms-have-doors',
      comment: 'Another room is entered by its index.ts alone.',
      severity: 'error',
      from: { path: `${FEATURES}/([^/]+)/`, pathNot: TEST },
      to: { path: `${FEATURES}/`, pathNot: [`${FEATURES}/$1/`, `${FEATURES}/[^/]+/index\\.ts$`] },
    },
    {
      name: 'app-enters-by-doors',
      severity: 'error',
      from: { path: `${SERVER}/[^/]+\\.ts$` },
      to: { path: `${FEATURES}/[^/]+/(?!index\\.ts)` },
    },
    {
      name: 'known-rooms-only',
      comment: 'A new room takes its place in the line above.',
      severity: 'error',
      from: { path: `${FEATURES}/(?!(${ROOMS.join('|')})/)` },
      to: {},
    },
    {
      name: 'platform-knows-no-room',
      severity: 'error',
      from: { path: `${SERVER}/platform/`, pathNot: TEST },
      to: { path: `${FEATURES}/` },
    },
    {
      name: 'protocols-are-pure',
      comment: 'An engine knows its RFC, not our database, web framework or rooms.',
      severity: 'error',
      from: { path: `${SERVER}/protocols/`, pathNot: TEST },
      to: {
        path: [`${SERVER}/(features|platform/(db|http|jobs|mail))/`, 'node_modules/(fastify|pg|drizzle-orm|@fastify)/'],
      },
    },
    {
      name: 'routes-import-no-repository',
      severity: 'error',
      from: { path: `${FEATURES}/.+/routes\\.ts$` },
      to: { path: ['/repository\\.ts$', '/tables\\.ts$', 'node_modules/(drizzle-orm|pg)/'] },
    },
    {
      name: 'use-cases-know-no-framework',
      comment: 'The web framework is known to the platform, and to the room that serves the pages.',
      severity: 'error',
      from: { path: `${FEATURES}/`, pathNot: [`${FEATURES}/pages/`, TEST] },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'repositories-know-no-http',
      severity: 'error',
      from: { path: '/(repository|tables)\\.ts$' },
      to: { path: [`${SERVER}/platform/http/`, 'node_modules/(fastify|@fastify)/'] },
    },
    onlyIn('password-hash', '@node-rs/argon2', `${SERVER}/platform/crypto/`),
    onlyIn('mail', 'nodemailer', `${SERVER}/platform/mail/`),
    onlyIn('metrics', 'prom-client', `${SERVER}/platform/metrics\\.ts$`),
    onlyIn('embedded', '@electric-sql/pglite|fs-native-extensions', `${SERVER}/platform/db/embedded/`),
    onlyIn(
      'addresses',
      'ipaddr\\.js',
      `${SERVER}/(platform/(throttle|config|geo|http/outbound)|protocols/sign-in-risk/)`,
    ),
    onlyIn('countries', 'maxmind|@ip-location-db', `${SERVER}/platform/geo/`),
    onlyIn('passkeys', '@simplewebauthn/server', `${SERVER}/protocols/webauthn/`),
    onlyIn('one-time-codes', 'otpauth', `${SERVER}/protocols/totp/`),
    onlyIn('xml', '@xmldom/xmldom', `${SERVER}/protocols/saml/`),
    onlyIn('ldap', 'ldapts', `${SERVER}/protocols/ldap/`),
    onlyIn('oauth-engine', 'oidc-provider', `${SERVER}/features/oidc-provider/engine`),
    onlyIn('in-memory-requests', 'light-my-request', `${SERVER}/features/oidc-provider/engine`),
    onlyIn('db', 'pg', `${SERVER}/platform/db/`),
    {
      name: 'sign-in-is-light',
      comment: 'What the sign-in pages load must not pull in the account or administration pages.',
      severity: 'error',
      from: { path: '^console/src/features/accounts/' },
      to: { path: '^console/src/features/(?!accounts/)', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'no-drawers',
      comment: 'Name a file after what it does.',
      severity: 'error',
      from: {
        path: '/(utils?|helpers?|common|misc|shared|types|constants|manager)(\\.tsx?|/)',
        pathNot: 'node_modules',
      },
      to: {},
    },
    {
      name: 'no-dev-dependency-at-run-time',
      severity: 'error',
      from: { path: `${SERVER}/`, pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/.*/node_modules)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
