-- A team suspends a membership, never an account. So far only teams have suspended accounts, each with the membership in that team, so
-- the membership stays suspended.
UPDATE users SET status = 'active' WHERE status = 'suspended';
--> statement-breakpoint
-- A membership that a team inserted together with the account is not confirmed before the owner of the email address has come.
UPDATE memberships m SET counts = false FROM users u
WHERE u.id = m.user_id AND m.organization_id = u.made_by_team_id AND m.counts AND u.email_verified_at IS NULL;
--> statement-breakpoint
UPDATE memberships SET last_unrestricted_use_at = last_used_at WHERE counts AND last_used_at IS NOT NULL;
--> statement-breakpoint
-- What a team says of a user goes with the membership: no provider of the team means the user any more, whichever way it ended.
CREATE FUNCTION forget_external_identities() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM external_identities e USING gone, sso_providers p
  WHERE e.user_id = gone.user_id AND p.id = e.provider_id AND p.organization_id = gone.organization_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER memberships_forget_identities AFTER DELETE ON memberships
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_external_identities();
