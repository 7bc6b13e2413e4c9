CREATE TABLE "audit_archives" (
	"id" uuid PRIMARY KEY NOT NULL,
	"chain" uuid NOT NULL,
	"first_seal" bigint NOT NULL,
	"last_seal" bigint NOT NULL,
	"entries" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"size" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_archives_seal" UNIQUE("chain","first_seal")
);
--> statement-breakpoint
CREATE TABLE "audit_bases" (
	"chain" uuid PRIMARY KEY NOT NULL,
	"seal" bigint NOT NULL,
	"entries" bigint NOT NULL,
	"head" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"record_id" uuid NOT NULL,
	"removed_at" timestamp (3) with time zone NOT NULL,
	"transaction_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"address_hash" "bytea",
	"sealed_key" text,
	"erased_by" uuid,
	"erased_at" timestamp (3) with time zone,
	"cleared_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_keys_user" UNIQUE("user_id"),
	CONSTRAINT "audit_keys_address" UNIQUE("address_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_retention" (
	"chain" uuid PRIMARY KEY NOT NULL,
	"days" integer NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_retention_days" CHECK (days BETWEEN 90 AND 3650)
);
--> statement-breakpoint
DROP INDEX "audit_entries_team_user";--> statement-breakpoint
DROP INDEX "audit_entries_team_ip";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "format" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "sealed_origin" "bytea";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "ip_hash" "bytea";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "subject_key_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "sealed_details" "bytea";--> statement-breakpoint
ALTER TABLE "audit_seals" ADD COLUMN "format" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_keys_uncleared" ON "audit_keys" USING btree ("erased_at") WHERE erased_at IS NOT NULL AND cleared_at IS NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_user" ON "audit_entries" USING btree ("user_id","team_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_entries_team_ip_hash" ON "audit_entries" USING btree ("team_id","ip_hash","created_at") WHERE "audit_entries"."ip_hash" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_key" ON "audit_entries" USING btree ("key_id") WHERE user_id IS NULL AND ip_hash IS NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_entries_team_session" ON "audit_entries" USING btree ("team_id","session_id","created_at") WHERE "audit_entries"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_team_ip" ON "audit_entries" USING btree ("team_id","ip_address","created_at") WHERE "audit_entries"."ip_address" is not null;
--> statement-breakpoint
-- The key of a person never changes. It is destroyed once, by an erasure whose entry in the log of the instance names the key and is not sealed
-- yet; ENCRYPTION_KEY may wrap it again, which leaves the last part of the sealed value as it is; and the job that clears IP hashes sets its time.
CREATE FUNCTION audit_is_erased_by(erased_key uuid, record uuid, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id
    WHERE e.id = record AND e.team_id IS NULL AND e.action = 'user.personal_data_erased' AND e.created_at = at AND e.metadata->'keys' ? erased_key::text)
$$;
--> statement-breakpoint
CREATE FUNCTION audit_refuse_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed audit_keys := OLD;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sealed_key IS NOT NULL AND NEW.erased_by IS NULL AND NEW.erased_at IS NULL THEN RETURN NEW; END IF;
    IF NEW.sealed_key IS NULL AND audit_is_erased_by(NEW.id, NEW.erased_by, NEW.erased_at) THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD.sealed_key IS NULL THEN
      allowed.cleared_at := NEW.cleared_at;
    ELSIF NEW.sealed_key IS NOT NULL THEN
      IF NEW.sealed_key ~ '^v1[.][0-9a-f]{12}[.][A-Za-z0-9_-]{80}[.]' AND split_part(NEW.sealed_key, '.', 4) = split_part(OLD.sealed_key, '.', 4)
      THEN allowed.sealed_key := NEW.sealed_key; END IF;
    ELSIF audit_is_erased_by(OLD.id, NEW.erased_by, NEW.erased_at) THEN
      allowed.sealed_key := NULL;
      allowed.address_hash := NULL;
      allowed.erased_by := NEW.erased_by;
      allowed.erased_at := NEW.erased_at;
    END IF;
    IF NEW IS NOT DISTINCT FROM allowed AND NEW IS DISTINCT FROM OLD THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_keys_no_change BEFORE INSERT OR UPDATE OR DELETE ON audit_keys FOR EACH ROW EXECUTE FUNCTION audit_refuse_key_change();
--> statement-breakpoint
CREATE TRIGGER audit_keys_no_truncate BEFORE TRUNCATE ON audit_keys FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
-- Entries: the IP hash of an erased user becomes null, and nothing else changes.
CREATE FUNCTION audit_refuse_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed audit_entries := OLD;
BEGIN
  IF EXISTS (SELECT FROM audit_keys WHERE id = OLD.key_id AND sealed_key IS NULL) THEN allowed.ip_hash := NULL; END IF;
  IF NEW IS NOT DISTINCT FROM allowed AND NEW IS DISTINCT FROM OLD THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_entries_no_update ON audit_entries;
--> statement-breakpoint
CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_refuse_entry_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
-- Destroys the keys of a deleted user and of the user's address, and records it in the log of the instance. Entries stay as they are, so that
-- the chain remains valid; what the keys encrypted cannot be read again. A user without a key gets a destroyed one, so that none is created
-- later. The row of the user is inserted first, which waits for a transaction that is creating the key.
CREATE FUNCTION erase_user_audit(erased_user uuid, erased_address bytea, new_key text, new_key_id uuid, record_id uuid, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  key_ids uuid[];
BEGIN
  INSERT INTO audit_keys (id, user_id, sealed_key, created_at) VALUES (new_key_id, erased_user, new_key, at) ON CONFLICT DO NOTHING;
  SELECT array_agg(k.id) INTO key_ids FROM (SELECT id FROM audit_keys
    WHERE (user_id = erased_user OR address_hash = erased_address) AND sealed_key IS NOT NULL ORDER BY id FOR UPDATE) k;
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'user.personal_data_erased', 'user:' || erased_user, 'SUCCESS', jsonb_build_object('keys', to_jsonb(coalesce(key_ids, '{}'))), at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  UPDATE audit_keys k SET sealed_key = NULL, address_hash = NULL, erased_by = record_id, erased_at = at WHERE k.id = ANY (key_ids);
END $$;
--> statement-breakpoint
-- A node of an earlier release does not hash the new members. Its seals would be invalid, so the nodes of this release write them.
CREATE FUNCTION audit_refuse_unknown_format() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit_entries WHERE id = ANY (NEW.entry_ids) AND format > NEW.format) THEN
    RAISE EXCEPTION 'seal % of chain % has entries of a format that its sealer does not know', NEW.number, NEW.chain USING ERRCODE = 'feature_not_supported';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_seals_format BEFORE INSERT ON audit_seals FOR EACH ROW EXECUTE FUNCTION audit_refuse_unknown_format();
--> statement-breakpoint
-- Retention removes whole seals from the beginning of a chain. It writes where the chain begins now, which this guard allows only for a seal that
-- a checkpoint names, together with an entry in the log of the instance that records the removal.
CREATE FUNCTION audit_refuse_base() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.transaction_id = pg_current_xact_id()::text
    AND (TG_OP = 'INSERT' OR (NEW.chain = OLD.chain AND NEW.seal > OLD.seal))
    AND EXISTS (SELECT FROM audit_seals s WHERE s.chain = NEW.chain AND s.number = NEW.seal AND s.hashes[array_length(s.hashes, 1)] = NEW.head)
    AND EXISTS (SELECT FROM audit_checkpoint_heads h WHERE h.chain = NEW.chain AND h.seal = NEW.seal AND h.head = NEW.head AND h.entries = NEW.entries)
    AND EXISTS (SELECT FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id
      WHERE e.id = NEW.record_id AND e.team_id IS NULL AND e.action = 'audit.entries_removed' AND e.created_at = NEW.removed_at)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_bases_no_change BEFORE INSERT OR UPDATE ON audit_bases FOR EACH ROW EXECUTE FUNCTION audit_refuse_base();
--> statement-breakpoint
CREATE TRIGGER audit_bases_no_truncate BEFORE TRUNCATE ON audit_bases FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_bases_no_delete AFTER DELETE ON audit_bases REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_delete();
--> statement-breakpoint
-- As before, and the rows of the seals that retention removes in this transaction.
CREATE OR REPLACE FUNCTION audit_refuse_delete() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chain_column text := CASE TG_TABLE_NAME WHEN 'audit_entries' THEN 'team_id' ELSE 'chain' END;
  strangers bigint;
BEGIN
  EXECUTE format(
    'SELECT count(*) FROM removed r WHERE NOT EXISTS (
       SELECT 1 FROM audit_removals a WHERE a.chain = r.%I AND a.transaction_id = pg_current_xact_id()::text)
     AND NOT ' || CASE TG_TABLE_NAME
       WHEN 'audit_entries' THEN '((coalesce(r.team_id, ''00000000-0000-0000-0000-000000000000''), r.id) IN (
         SELECT s.chain, unnest(s.entry_ids) FROM audit_bases b JOIN audit_seals s ON s.chain = b.chain AND s.number <= b.seal
         WHERE b.transaction_id = pg_current_xact_id()::text))'
       WHEN 'audit_seals' THEN '(EXISTS (SELECT 1 FROM audit_bases b WHERE b.chain = r.chain AND b.seal >= r.number AND b.transaction_id = pg_current_xact_id()::text))'
       WHEN 'audit_daily' THEN '(r.count = 0 AND EXISTS (SELECT 1 FROM audit_bases b WHERE b.chain = r.chain AND b.transaction_id = pg_current_xact_id()::text))'
       ELSE 'false' END, chain_column)
    INTO strangers;
  IF strangers > 0 THEN
    RAISE EXCEPTION 'audit records are append-only: DELETE on % is refused', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Retention subtracts the removed entries from the counts of its chain.
CREATE FUNCTION audit_refuse_count_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN RETURN NEW; END IF;
  IF (NEW.chain, NEW.day, NEW.action, NEW.result) = (OLD.chain, OLD.day, OLD.action, OLD.result) AND NEW.count BETWEEN 0 AND OLD.count - 1
    AND EXISTS (SELECT FROM audit_bases b WHERE b.chain = NEW.chain AND b.transaction_id = pg_current_xact_id()::text) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_daily_no_change ON audit_daily;
--> statement-breakpoint
CREATE TRIGGER audit_daily_no_change BEFORE INSERT OR TRUNCATE ON audit_daily FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_count_change();
--> statement-breakpoint
CREATE TRIGGER audit_daily_no_update BEFORE UPDATE ON audit_daily FOR EACH ROW EXECUTE FUNCTION audit_refuse_count_update();
--> statement-breakpoint
-- Archives never change. One is deleted with its team, or by a function that records it in the log of the instance.
CREATE FUNCTION audit_refuse_archive_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM audit_removals a WHERE a.chain = OLD.chain AND a.transaction_id = pg_current_xact_id()::text)
    OR EXISTS (SELECT FROM audit_pending p JOIN audit_entries e ON e.id = p.entry_id
      WHERE e.team_id IS NULL AND e.action = 'audit.archive_deleted' AND e.resource = 'audit_archive:' || OLD.id) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_archives_no_change BEFORE UPDATE OR TRUNCATE ON audit_archives FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_archives_no_delete BEFORE DELETE ON audit_archives FOR EACH ROW EXECUTE FUNCTION audit_refuse_archive_delete();
--> statement-breakpoint
CREATE FUNCTION delete_audit_archive(archive uuid, record_id uuid, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    SELECT record_id, 'audit.archive_deleted', 'audit_archive:' || a.id, 'SUCCESS',
      jsonb_build_object('chain', a.chain, 'entries', a.entries, 'firstSeal', a.first_seal, 'lastSeal', a.last_seal, 'sha256', encode(sha256(a.content), 'hex')), at
    FROM audit_archives a WHERE a.id = archive;
  INSERT INTO audit_pending (entry_id, chain) SELECT id, '00000000-0000-0000-0000-000000000000' FROM audit_entries WHERE id = record_id;
  DELETE FROM audit_archives WHERE id = archive;
END $$;
--> statement-breakpoint
-- Removes the seals of a chain up to a number, with their entries and counts, which an archive must contain. What remains: where the chain begins now, and an entry in the log
-- of the instance.
CREATE FUNCTION remove_audit_seals(of_chain uuid, up_to bigint, record_id uuid, removed_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last audit_seals;
  entry_count bigint;
  archive_hash text;
BEGIN
  SELECT encode(sha256(a.content), 'hex') INTO STRICT archive_hash FROM audit_archives a
    WHERE a.chain = of_chain AND a.last_seal = up_to AND a.first_seal = coalesce((SELECT b.seal FROM audit_bases b WHERE b.chain = of_chain), 0) + 1;
  SELECT * INTO STRICT last FROM audit_seals s WHERE s.chain = of_chain AND s.number = up_to;
  SELECT h.entries INTO STRICT entry_count FROM audit_checkpoint_heads h WHERE h.chain = of_chain AND h.seal = up_to;
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'audit.entries_removed', CASE of_chain WHEN '00000000-0000-0000-0000-000000000000' THEN 'instance' ELSE 'organization:' || of_chain END, 'SUCCESS',
      jsonb_build_object('seal', up_to, 'entries', entry_count, 'lastHash', encode(last.hashes[array_length(last.hashes, 1)], 'hex'),
        'archiveSha256', archive_hash), removed_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  INSERT INTO audit_bases AS b (chain, seal, entries, head, signature, key_id, record_id, removed_at, transaction_id)
    VALUES (of_chain, up_to, entry_count, last.hashes[array_length(last.hashes, 1)], last.signature, last.key_id, record_id, removed_at, pg_current_xact_id()::text)
    ON CONFLICT (chain) DO UPDATE SET seal = excluded.seal, entries = excluded.entries, head = excluded.head, signature = excluded.signature,
      key_id = excluded.key_id, record_id = excluded.record_id, removed_at = excluded.removed_at, transaction_id = excluded.transaction_id;
  UPDATE audit_daily d SET count = d.count - r.count
    FROM (SELECT (e.created_at AT TIME ZONE 'UTC')::date AS day, e.action, e.result, count(*) AS count
      FROM audit_seals s CROSS JOIN LATERAL unnest(s.entry_ids) AS sealed (id) JOIN audit_entries e ON e.id = sealed.id
      WHERE s.chain = of_chain AND s.number <= up_to GROUP BY 1, 2, 3) r
    WHERE d.chain = of_chain AND d.day = r.day AND d.action = r.action AND d.result = r.result;
  DELETE FROM audit_daily d WHERE d.chain = of_chain AND d.count = 0;
  DELETE FROM audit_entries WHERE id IN (SELECT unnest(s.entry_ids) FROM audit_seals s WHERE s.chain = of_chain AND s.number <= up_to);
  DELETE FROM audit_seals s WHERE s.chain = of_chain AND s.number <= up_to;
END $$;
--> statement-breakpoint
-- As before, and with what retention has written.
CREATE OR REPLACE FUNCTION remove_team_audit(team uuid, record_id uuid, removed_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry_count integer;
  last_head bytea;
BEGIN
  -- Waits for retention that is removing entries of the team.
  PERFORM 1 FROM audit_retention WHERE chain = team FOR UPDATE;
  DELETE FROM audit_pending WHERE chain = team;
  SELECT count(*) INTO entry_count FROM audit_entries WHERE team_id = team;
  SELECT coalesce((SELECT hashes[array_length(hashes, 1)] FROM audit_seals WHERE chain = team ORDER BY number DESC LIMIT 1),
    (SELECT head FROM audit_bases WHERE chain = team)) INTO last_head;
  INSERT INTO audit_removals (chain, entries, last_hash, removed_at, transaction_id)
    VALUES (team, entry_count, last_head, removed_at, pg_current_xact_id()::text);
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'organization.audit_removed', 'organization:' || team, 'SUCCESS',
      jsonb_build_object('entries', entry_count, 'lastHash', encode(last_head, 'hex')), removed_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  DELETE FROM audit_daily WHERE chain = team;
  DELETE FROM audit_seals WHERE chain = team;
  DELETE FROM audit_entries WHERE team_id = team;
  DELETE FROM audit_bases WHERE chain = team;
  DELETE FROM audit_archives WHERE chain = team;
  DELETE FROM audit_retention WHERE chain = team;
END $$;
