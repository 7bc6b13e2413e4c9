CREATE TABLE "audit_erasures" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"address_key_id" uuid,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_erasures_due" ON "audit_erasures" USING btree ("due_at");--> statement-breakpoint
-- As before, and the key of an email address can be released from the address: the next user of the address gets another key.
CREATE OR REPLACE FUNCTION audit_refuse_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed audit_keys := OLD;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sealed_key IS NOT NULL AND NEW.erased_by IS NULL AND NEW.erased_at IS NULL THEN RETURN NEW; END IF;
    IF NEW.sealed_key IS NULL AND audit_is_erased_by(NEW.id, NEW.erased_by, NEW.erased_at) THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF NEW.address_hash IS NULL THEN allowed.address_hash := NULL; END IF;
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
-- As before, and destroys one more key: that of the address of the user, which was released from it earlier.
DROP FUNCTION erase_user_audit(uuid, bytea, text, uuid, uuid, timestamptz);
--> statement-breakpoint
CREATE FUNCTION erase_user_audit(erased_user uuid, erased_address bytea, new_key text, new_key_id uuid, record_id uuid, at timestamptz, released_key uuid DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  key_ids uuid[];
BEGIN
  INSERT INTO audit_keys (id, user_id, sealed_key, created_at) VALUES (new_key_id, erased_user, new_key, at) ON CONFLICT DO NOTHING;
  SELECT array_agg(k.id) INTO key_ids FROM (SELECT id FROM audit_keys
    WHERE (user_id = erased_user OR address_hash = erased_address OR id = released_key) AND sealed_key IS NOT NULL ORDER BY id FOR UPDATE) k;
  INSERT INTO audit_entries (id, action, resource, result, metadata, created_at)
    VALUES (record_id, 'user.personal_data_erased', 'user:' || erased_user, 'SUCCESS', jsonb_build_object('keys', to_jsonb(coalesce(key_ids, '{}'))), at);
  INSERT INTO audit_pending (entry_id, chain) VALUES (record_id, '00000000-0000-0000-0000-000000000000');
  UPDATE audit_keys k SET sealed_key = NULL, address_hash = NULL, erased_by = record_id, erased_at = at WHERE k.id = ANY (key_ids);
END $$;
