import type { ClientSettings } from '../overview/env-file'

/** Spring reads all settings from its configuration; `\${}` is its placeholder for environment variables. */
export function java({ clientSecret, redirectUri, scopes }: ClientSettings): string {
  const secret = clientSecret
    ? `
            client-secret: \${OIDC_CLIENT_SECRET}`
    : `
            client-authentication-method: none # uses PKCE`
  if (!redirectUri)
    return `# build.gradle: implementation 'org.springframework.boot:spring-boot-starter-oauth2-client'
# First, in the shell: set -a; . ./.env; set +a
# application.yml
spring:
  security:
    oauth2:
      client:
        registration:
          keyward:
            client-id: \${OIDC_CLIENT_ID}${secret}
            authorization-grant-type: client_credentials
        provider:
          keyward:
            token-uri: \${OIDC_ISSUER}/token

# An OAuth2AuthorizedClientManager, or its RestClient interceptor, then gets and renews the tokens.
`
  return `# build.gradle: implementation 'org.springframework.boot:spring-boot-starter-oauth2-client'
#               implementation 'org.springframework.boot:spring-boot-starter-web'
# Add the redirect URL of Spring in Settings: http://localhost:8080/login/oauth2/code/keyward
# First, in the shell: set -a; . ./.env; set +a
# application.yml
spring:
  security:
    oauth2:
      client:
        registration:
          keyward:
            client-id: \${OIDC_CLIENT_ID}${secret}
            authorization-grant-type: authorization_code
            redirect-uri: "{baseUrl}/login/oauth2/code/{registrationId}"
            scope: ${scopes.join(', ')}
        provider:
          keyward:
            issuer-uri: \${OIDC_ISSUER}

# Every page now requires a sign-in. Read the user in a controller:
#   @GetMapping("/")
#   Map<String, Object> me(@AuthenticationPrincipal OidcUser user) { return user.getClaims(); }
`
}
