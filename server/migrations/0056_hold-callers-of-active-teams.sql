-- Replaces the function with a membership, which no release has: a request that was authenticated while the team was active is rejected once the
-- team is suspended, for every role. ONLY_ACTIVE is false for a caller who may act in a suspended team and whose request found it suspended.
DROP FUNCTION hold_caller(text, uuid, uuid, boolean, uuid, text, timestamptz, boolean);
--> statement-breakpoint
CREATE FUNCTION hold_caller(kind text, caller uuid, account uuid, alone boolean, team uuid, team_role text, received timestamptz, administers boolean, only_active boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT hold_caller(kind, caller, account, alone) THEN
    RETURN false;
  END IF;
  IF administers AND EXISTS (SELECT FROM instance_settings i WHERE i.id = 'singleton' AND i.instance_team_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships m WHERE m.user_id = account AND m.organization_id = i.instance_team_id AND m.status = 'active'
      AND m.role IN ('OWNER', 'SUPER_ADMIN'))) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = account AND m.organization_id = team AND m.status = 'active' AND m.role = team_role
      AND (m.tokens_since IS NULL OR m.tokens_since <= received)
      AND (o.status = 'ACTIVE' OR NOT only_active AND team_role IN ('OWNER', 'SUPER_ADMIN')));
END $$;
