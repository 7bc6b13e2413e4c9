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
CREATE INDEX "audit_entries_team_session" ON "audit_entries" USING btree ("team_id","session_id","created_at") WHERE "audit_entries"."session_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_team_ip" ON "audit_entries" USING btree ("team_id","ip_address","created_at") WHERE "audit_entries"."ip_address" is not null;--> statement-breakpoint
-- The key of a person never changes. It is destroyed once, by an erasure that an entry records; ENCRYPTION_KEY may wrap it again, which
-- leaves the last part of the sealed value as it is; and the job that clears IP hashes sets its time.
CREATE FUNCTION audit_refuse_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed audit_keys := OLD;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.sealed_key IS NULL THEN
      allowed.cleared_at := NEW.cleared_at;
    ELSIF NEW.sealed_key IS NOT NULL THEN
      IF split_part(NEW.sealed_key, '.', 4) = split_part(OLD.sealed_key, '.', 4) THEN allowed.sealed_key := NEW.sealed_key; END IF;
    ELSIF EXISTS (SELECT FROM audit_entries WHERE id = NEW.erased_by AND action = 'user.personal_data_erased' AND created_at = NEW.erased_at) THEN
      allowed.sealed_key := NULL;
      allowed.address_hash := NULL;
      allowed.erased_by := NEW.erased_by;
      allowed.erased_at := NEW.erased_at;
      allowed.cleared_at := NEW.cleared_at;
    END IF;
    IF NEW IS NOT DISTINCT FROM allowed AND NEW IS DISTINCT FROM OLD THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'audit records are append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_keys_no_change BEFORE UPDATE OR DELETE ON audit_keys FOR EACH ROW EXECUTE FUNCTION audit_refuse_key_change();
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
-- later.
CREATE FUNCTION erase_user_audit(erased_user uuid, erased_address bytea, new_key_id uuid, record_id uuid, erased_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'user.personal_data_erased', 'user:' || erased_user, 'SUCCESS', '{}', erased_at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  UPDATE audit_keys k SET sealed_key = NULL, erased_by = record_id, erased_at = erase_user_audit.erased_at
    WHERE k.user_id = erased_user AND k.sealed_key IS NOT NULL;
  UPDATE audit_keys k SET sealed_key = NULL, address_hash = NULL, erased_by = record_id, erased_at = erase_user_audit.erased_at, cleared_at = erase_user_audit.erased_at
    WHERE k.address_hash = erased_address AND k.sealed_key IS NOT NULL;
  INSERT INTO audit_keys (id, user_id, erased_by, erased_at, cleared_at, created_at)
    VALUES (new_key_id, erased_user, record_id, erase_user_audit.erased_at, erase_user_audit.erased_at, erase_user_audit.erased_at) ON CONFLICT DO NOTHING;
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
