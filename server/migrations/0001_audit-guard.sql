-- Audit entries and seals are append-only, for the service as for anybody at a database prompt. The one exception is the
-- deletion of a team: remove_team_audit first leaves a record that nothing removes, and the guard lets exactly that
-- transaction delete exactly that team's rows.
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE FUNCTION audit_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chain_column text := CASE TG_TABLE_NAME WHEN 'audit_entries' THEN 'team_id' ELSE 'chain' END;
  strangers bigint;
BEGIN
  EXECUTE format(
    'SELECT count(*) FROM removed r WHERE NOT EXISTS (
       SELECT 1 FROM audit_removals a WHERE a.chain = r.%I AND a.transaction_id = pg_current_xact_id()::text)', chain_column)
    INTO strangers;
  IF strangers > 0 THEN
    RAISE EXCEPTION 'audit records are append-only: DELETE on % is refused', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_no_update BEFORE UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_no_delete AFTER DELETE ON audit_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_delete();
--> statement-breakpoint
CREATE TRIGGER audit_seals_no_update BEFORE UPDATE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_seals_no_delete AFTER DELETE ON audit_seals REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_delete();
--> statement-breakpoint
CREATE TRIGGER audit_removals_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_removals FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
-- Removes the entries of a deleted team. What remains: this record, and an entry in the instance's chain with the team's id,
-- the number of its entries and the last hash of its chain.
CREATE FUNCTION remove_team_audit(team uuid, record_id uuid, removed_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry_count integer;
  last_head bytea;
BEGIN
  SELECT count(*) INTO entry_count FROM audit_entries WHERE team_id = team;
  SELECT hashes[array_length(hashes, 1)] INTO last_head FROM audit_seals WHERE chain = team ORDER BY number DESC LIMIT 1;
  INSERT INTO audit_removals (chain, entries, last_hash, removed_at, transaction_id)
    VALUES (team, entry_count, last_head, removed_at, pg_current_xact_id()::text);
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'organization.audit_removed', 'organization:' || team, 'SUCCESS',
      jsonb_build_object('entries', entry_count, 'lastHash', encode(last_head, 'hex')), removed_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  DELETE FROM audit_pending WHERE chain = team;
  DELETE FROM audit_seals WHERE chain = team;
  DELETE FROM audit_entries WHERE team_id = team;
END $$;
