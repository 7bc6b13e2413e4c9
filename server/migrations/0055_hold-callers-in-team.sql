-- Requests in flight of a caller whose access to a team ends: a client can send the body of an authenticated request long after its headers.
-- Like the function of the same name without a team, which nodes of earlier versions call during an update. Also verifies the membership:
-- it is still active with the role of which the request has the permissions, its credentials were not cleared since the request was
-- authenticated, and the team admits the role. The ADMINISTERS argument is true for a caller with the permissions of an administrator of the instance.
CREATE FUNCTION hold_caller(kind text, caller uuid, account uuid, alone boolean, team uuid, team_role text, received timestamptz, administers boolean)
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
      AND (o.status = 'ACTIVE' OR team_role IN ('OWNER', 'SUPER_ADMIN')));
END $$;
