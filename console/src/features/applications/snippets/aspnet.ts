import type { ClientSettings } from '../overview/env-file'
import { redirectPath, redirectPort } from './redirect-path'

export function aspnet({ issuer, clientSecret, redirectUri, scopes }: ClientSettings): string {
  const uri = redirectUri ?? ''
  const secret = clientSecret
    ? `
        options.ClientSecret = Environment.GetEnvironmentVariable("OIDC_CLIENT_SECRET");`
    : ''
  const plain = issuer.startsWith('http:')
    ? `
        options.RequireHttpsMetadata = false; // plain http, for local development only`
    : ''
  return `// dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect
// First, in the shell: set -a; . ./.env; set +a
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = Environment.GetEnvironmentVariable("OIDC_ISSUER");
        options.ClientId = Environment.GetEnvironmentVariable("OIDC_CLIENT_ID");${secret}
        options.CallbackPath = "${redirectPath(uri)}";
        options.ResponseType = "code";
        options.ResponseMode = "query";
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.NonceCookie.SameSite = SameSiteMode.Lax;
        options.CorrelationCookie.SameSite = SameSiteMode.Lax;${plain}
        options.Scope.Clear();
${scopes.map((scope) => `        options.Scope.Add("${scope}");`).join('\n')}
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => context.User.Claims.Select(claim => new { claim.Type, claim.Value }))
    .RequireAuthorization();
app.Run("http://localhost:${redirectPort(uri)}");
`
}
