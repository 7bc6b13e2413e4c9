/**
 * Valid and invalid resource URIs for a service at `AT`. Server and console tests share them, so that the form accepts exactly the
 * values that the service accepts.
 */
export const AT = 'https://id.example.com'

export const RESOURCES = [
  'https://api.example.com',
  'https://api.example.com/v1?x=1',
  'https://api.example.com:8443/%C3%A4',
  'http://localhost:9000',
  'urn:example:orders',
  'URN:example:orders',
  'com.example.billing:/x',
  'com.example.billing://orders',
  'https://other.example.com/@x',
  'https://id.example.com.evil.example',
  'https://id.example.com:8443/api',
]

export const NO_RESOURCES = [
  '',
  'api',
  '/api',
  '//api.example.com',
  'https://api.example.com/#x',
  'https://api.example.com/#',
  'urn:',
  'urn: x',
  'https://',
  'https://api.example.com/a b',
  'https://api.example.com/ä',
  'https://api.example.com/%zz',
  'https:\\\\api',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'api://billing',
  'mailto:x@example.com',
  'https://u:p@x/',
  'https://@x/',
  'https:u:p@x/',
  'https:api.example.com',
  'https:/api.example.com',
  'https:///u:p@x/',
  'com.example.billing://u:p@x/',
  `urn:example:${'x'.repeat(2_000)}`,
]

export const OUR_OWN = [
  'https://id.example.com',
  'https://id.example.com/',
  'HTTPS://ID.EXAMPLE.COM:443/api/v1',
  'https://id.example.com/api/v1/sso/oidc-idp/01900000-0000-7000-8000-000000000001',
  'https://id.example.com/x/../api/v1',
  'HTTPS://ID.EXAMPLE.COM/x',
  'https://id.example.com./x',
  'http://id.example.com/api/v1',
]
