/**
 * SCIM client simulators: `keyward simulate okta|entra|google --base <url> --token <token>` sends the requests of that vendor's SCIM client
 * to a service, in the vendor's order and format. It reports for each request whether the client could continue with the response.
 * Administrators use it to test the URL and the token of a team before they provision users; our tests use it too. It needs only the URL
 * and a token, so it can test any SCIM 2.0 service (RFC 7644). It creates users and groups with random names, in an email domain that
 * receives no mail, and deletes them at the end; a service may only deactivate deleted users.
 * Only the command `keyward simulate` loads this module, never the service.
 */
export { simulate, VENDORS } from './simulate.js'
