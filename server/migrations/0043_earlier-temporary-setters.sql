-- Those of the credentials that exist already; an editor of a provider or directory is no setter of a password.
INSERT INTO temporary_setters (user_id, organization_id, set_by)
SELECT c.user_id, c.organization_id, c.set_by FROM (
  SELECT user_id, organization_id, temporary_set_by AS set_by FROM team_passwords
  UNION SELECT user_id, confined_team_id, temporary_set_by FROM sessions WHERE ended_at IS NULL
  UNION SELECT user_id, restricted_to_team_id, temporary_set_by FROM factors
  UNION SELECT created_by, organization_id, temporary_set_by FROM api_tokens WHERE revoked_at IS NULL
  UNION SELECT created_by, organization_id, temporary_set_by FROM scim_tokens WHERE revoked_at IS NULL
  UNION SELECT saved_by, organization_id, temporary_set_by FROM sso_providers
  UNION SELECT saved_by, organization_id, temporary_set_by FROM directories
  UNION SELECT registration_token_by, organization_id, registration_token_temporary_set_by FROM applications
  UNION SELECT invited_by, organization_id, temporary_set_by FROM invitations WHERE status = 'PENDING'
  UNION SELECT started_by, organization_id, temporary_set_by FROM import_runs WHERE status IN ('queued', 'running')) c
JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = c.organization_id
WHERE c.set_by IS NOT NULL AND NOT EXISTS (SELECT FROM sign_in_editors se WHERE se.id = c.set_by)
ON CONFLICT DO NOTHING;
