/**
 * SCIM client simulators: `keyward simulate okta|entra|google --base URL --token TOKEN` sends the requests of that vendor's SCIM client
 * to a service, in its order and notation, and reports for each step whether the client could continue with the response.
 * For administrators, to test the URL and the token of a team before users are provisioned, and for Keyward's tests. It only knows the URL
 * of the service, so it can test any other SCIM 2.0 service (RFC 7644). It creates resources with random names below a domain without
 * mail, and deletes them at the end (a SCIM DELETE: deactivated).
 * Only loaded by the command `keyward simulate`, never by the running service.
 */
export { simulate } from './simulate.js'
