-- What was sealed already is counted once; from here on the trigger below counts with each seal.
INSERT INTO audit_daily (chain, day, action, result, count)
  SELECT s.chain, (e.created_at AT TIME ZONE 'UTC')::date, e.action, e.result, count(*)
  FROM audit_seals s CROSS JOIN LATERAL unnest(s.entry_ids) AS sealed (id) JOIN audit_entries e ON e.id = sealed.id
  GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
-- In the transaction of the seal and whichever release wrote it: the entries are counted, and the checkpoint names the seal.
CREATE FUNCTION audit_count_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM audit_checkpoint_heads h WHERE h.chain = NEW.chain AND h.seal = NEW.number) THEN
    RAISE EXCEPTION 'no checkpoint names seal % of chain %', NEW.number, NEW.chain USING ERRCODE = 'insufficient_privilege';
  END IF;
  INSERT INTO audit_daily AS d (chain, day, action, result, count)
    SELECT NEW.chain, (e.created_at AT TIME ZONE 'UTC')::date, e.action, e.result, count(*)
    FROM audit_entries e WHERE e.id = ANY (NEW.entry_ids)
    GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (chain, day, action, result) DO UPDATE SET count = d.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_seals_count AFTER INSERT ON audit_seals FOR EACH ROW EXECUTE FUNCTION audit_count_sealed();
--> statement-breakpoint
CREATE TRIGGER audit_checkpoints_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_checkpoint_heads_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_checkpoint_heads FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
-- As before, and with the counts. What waits for a seal goes first: a sealer that has it in hand is waited for, so that the last
-- hash that remains is the last there was.
CREATE OR REPLACE FUNCTION remove_team_audit(team uuid, record_id uuid, removed_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry_count integer;
  last_head bytea;
BEGIN
  DELETE FROM audit_pending WHERE chain = team;
  SELECT count(*) INTO entry_count FROM audit_entries WHERE team_id = team;
  SELECT hashes[array_length(hashes, 1)] INTO last_head FROM audit_seals WHERE chain = team ORDER BY number DESC LIMIT 1;
  INSERT INTO audit_removals (chain, entries, last_hash, removed_at, transaction_id)
    VALUES (team, entry_count, last_head, removed_at, pg_current_xact_id()::text);
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'organization.audit_removed', 'organization:' || team, 'SUCCESS',
      jsonb_build_object('entries', entry_count, 'lastHash', encode(last_head, 'hex')), removed_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  DELETE FROM audit_daily WHERE chain = team;
  DELETE FROM audit_seals WHERE chain = team;
  DELETE FROM audit_entries WHERE team_id = team;
END $$;
--> statement-breakpoint
-- The counts are written with a seal, and by nobody at a database prompt; they go with their team, as entries and seals do.
CREATE FUNCTION audit_refuse_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_daily_no_change BEFORE INSERT OR UPDATE OR TRUNCATE ON audit_daily FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_count_change();
--> statement-breakpoint
CREATE TRIGGER audit_daily_no_delete AFTER DELETE ON audit_daily REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_delete();
