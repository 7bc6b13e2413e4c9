/**
 * SQL: whether the team has an enabled policy that a sign-in to it would be asked about. The pattern of the resource is matched by LIKE,
 * whose own signs are escaped.
 * @param team an expression for the team's id
 */
export const hasSignOnRules = (team: string): string => `EXISTS (SELECT FROM policies p
  WHERE p.organization_id = ${team} AND p.type IN ('SIGN_ON', 'MFA') AND p.enabled AND p.actions && ARRAY['login', '*']
    AND 'sign-in' LIKE replace(replace(replace(replace(p.resource, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), '*', '%'))`
