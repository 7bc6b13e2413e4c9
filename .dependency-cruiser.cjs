/**
 * The layers with their modules, both in order. A module imports only modules before it, only through their public API (`index.ts`), and
 * only from its own layer and those in `imports`. Every layer may import `platform`, and those with `protocols` the protocol engines.
 */
const LAYERS = {
  foundation: { modules: ['audit', 'permissions', 'settings', 'outbox'], imports: [], protocols: true },
  people: { modules: ['users', 'teams', 'members', 'groups'], imports: ['foundation'], protocols: false },
  rules: {
    modules: ['applications', 'policies', 'password-policy'],
    imports: ['foundation', 'people'],
    protocols: true,
  },
  authentication: {
    modules: ['sessions', 'passwords', 'access-tokens', 'mfa', 'user-management', 'authentication'],
    imports: ['foundation', 'people', 'rules'],
    protocols: true,
  },
  federation: {
    modules: ['saml-keys', 'sso', 'oidc-config', 'oidc-provider', 'saml-provider'],
    imports: ['foundation', 'people', 'rules', 'authentication'],
    protocols: true,
  },
  provisioning: {
    modules: ['scim', 'ldap', 'logos', 'pages'],
    imports: ['foundation', 'people', 'rules', 'authentication', 'federation'],
    protocols: true,
  },
}
const MODULES = Object.values(LAYERS).flatMap(({ modules }) => modules)

/** Modules whose sub-folders still import each other. No other module may, and none is added. */
const LINKED_SUB_FOLDERS = [
  'audit',
  'applications',
  'authentication',
  'members',
  'mfa',
  'oidc-config',
  'oidc-provider',
  'saml-provider',
  'scim',
  'sso',
  'user-management',
]

const SERVER = '^server/src'
const FEATURES = `${SERVER}/features`
const TEST = '\\.test\\.ts$'

const inModules = (modules) => `${FEATURES}/(${modules.join('|')})/`

const moduleOrder = MODULES.map((module, index) => ({
  name: `${module}-imports-earlier-modules`,
  comment: `${module} may import only modules before it in the order.`,
  severity: 'error',
  from: { path: inModules([module]), pathNot: TEST },
  to: { path: `${FEATURES}/`, pathNot: [inModules(MODULES.slice(0, index + 1))] },
}))

const layerImports = Object.entries(LAYERS).map(([layer, { modules, imports, protocols }]) => ({
  name: `layer-${layer}`,
  comment: `The layer ${layer} may import ${[...imports, protocols && 'protocols'].filter(Boolean).join(', ') || 'no other layer'}.`,
  severity: 'error',
  from: { path: inModules(modules), pathNot: TEST },
  to: {
    path: [`${FEATURES}/`, ...(protocols ? [] : [`${SERVER}/protocols/`])],
    pathNot: [inModules([layer, ...imports].flatMap((name) => LAYERS[name].modules))],
  },
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
        pathNot: ['\\.d(\\.json)?\\.ts$', TEST, 'worker-from-source\\.mjs$', '\\.gen\\.ts$'],
      },
      to: {},
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^\\.\\./dist/', 'dist/', '^virtual:'] },
    },
    ...moduleOrder,
    ...layerImports,
    {
      name: 'modules-import-public-apis',
      comment: 'A module imports another one only through its public API, index.ts.',
      severity: 'error',
      from: { path: `${FEATURES}/([^/]+)/`, pathNot: TEST },
      to: { path: `${FEATURES}/`, pathNot: [`${FEATURES}/$1/`, `${FEATURES}/[^/]+/index\\.ts$`] },
    },
    {
      name: 'app-imports-public-apis',
      comment: 'The files that assemble the service import modules only through their public API, index.ts.',
      severity: 'error',
      from: { path: `${SERVER}/[^/]+\\.ts$` },
      to: { path: `${FEATURES}/[^/]+/(?!index\\.ts)` },
    },
    {
      name: 'listed-modules-only',
      comment: 'Add a new module to LAYERS above.',
      severity: 'error',
      from: { path: `${FEATURES}/(?!(${MODULES.join('|')})/)` },
      to: {},
    },
    {
      name: 'platform-imports-no-module',
      severity: 'error',
      from: { path: `${SERVER}/platform/`, pathNot: TEST },
      to: { path: `${FEATURES}/` },
    },
    {
      name: 'protocols-are-pure',
      comment: 'An engine knows its RFC, not our database, web framework or modules.',
      severity: 'error',
      from: { path: `${SERVER}/protocols/`, pathNot: TEST },
      to: {
        path: [`${SERVER}/(features|platform/(db|http|jobs|mail))/`, 'node_modules/(fastify|pg|drizzle-orm|@fastify)/'],
      },
    },
    {
      name: 'routes-import-no-repository',
      comment: 'A route calls a use case, also in a sub-folder and in a file such as `stop-routes.ts`.',
      severity: 'error',
      from: { path: `${FEATURES}/.+[/-]routes\\.ts$` },
      to: { path: ['[/-]repository\\.ts$', '/tables\\.ts$', 'node_modules/(drizzle-orm|pg)/'] },
    },
    {
      name: 'sub-folders-import-model',
      comment: 'Sub-folders of a module share its root files and `model/`.',
      severity: 'error',
      from: { path: `${FEATURES}/([^/]+)/([^/]+)/`, pathNot: [TEST, inModules(LINKED_SUB_FOLDERS)] },
      to: { path: `${FEATURES}/$1/[^/]+/`, pathNot: [`${FEATURES}/$1/(model|$2)/`] },
    },
    {
      name: 'use-cases-know-no-framework',
      comment: 'The web framework is known to the platform, and to the module that serves the pages.',
      severity: 'error',
      from: { path: `${FEATURES}/`, pathNot: [`${FEATURES}/pages/`, TEST] },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'repositories-know-no-http',
      severity: 'error',
      comment: 'A repository, also one such as `token-repository.ts`, and the tables.',
      from: { path: '[/-](repository|tables)\\.ts$' },
      to: { path: [`${SERVER}/platform/http/`, 'node_modules/(fastify|@fastify)/'] },
    },
    onlyIn('password-hash', '@node-rs/argon2', `${SERVER}/platform/crypto/`),
    onlyIn('mail', 'nodemailer', `${SERVER}/platform/mail/`),
    onlyIn('metrics', 'prom-client', `${SERVER}/platform/metrics/`),
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
      comment:
        'The sign-in pages load no account or administration pages. Consent, device and sign-out are chunks of their own.',
      severity: 'error',
      from: { path: '^console/src/features/sign-in/(?!consent/|device/|sign-out/)' },
      to: {
        path: '^console/src/features/((?!sign-in/)|sign-in/(consent|device|sign-out)/)',
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'sign-in-is-its-own-document',
      comment:
        'No sign-in page, not even a lazy one, imports the frame of the console, its router or the logos of vendors.',
      severity: 'error',
      from: { path: '^console/src/sign-in/pages\\.ts' },
      to: {
        path: '^console/src/(shell/|app\\.tsx|ui/(page/lazy-page|values/vendor-logo)\\.tsx?|features/[^/]+/routes\\.ts)',
        reachable: true,
      },
    },
    {
      name: 'commands-are-loaded-on-demand',
      comment: 'The running service never loads a command: the entry point imports it dynamically.',
      severity: 'error',
      from: { path: `${SERVER}/`, pathNot: [`${SERVER}/cli/`, TEST] },
      to: { path: `${SERVER}/cli/`, dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'commands-import-public-apis',
      comment:
        'A command calls a module only through its public API, index.ts, and no other command. The verification of exports has an API of its own, which loads no database.',
      severity: 'error',
      from: { path: `${SERVER}/cli/([^/]+)/`, pathNot: TEST },
      to: { path: [`${FEATURES}/[^/]+/(?!index\\.ts|chain/offline/index\\.ts)`, `${SERVER}/cli/(?!$1/)[^/]+/`] },
    },
    {
      name: 'simulators-know-only-a-url',
      comment: 'The simulated SCIM clients can test any service.',
      severity: 'error',
      from: { path: `${SERVER}/cli/simulate/`, pathNot: TEST },
      to: { path: `${SERVER}/(?!cli/simulate/)` },
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
