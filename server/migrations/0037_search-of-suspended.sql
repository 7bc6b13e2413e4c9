-- The search finds a member by their own names only while the membership is confirmed, and a suspended one is not. So far a suspension
-- left the own names in the search, and each change of them was written there.
CREATE OR REPLACE FUNCTION memberships_write_search() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person record;
  is_confirmed boolean := NEW.counts AND NEW.status <> 'suspended';
BEGIN
  SELECT first_name, last_name, email INTO person FROM users WHERE id = NEW.user_id FOR SHARE;
  NEW.search := search_fold(concat_ws(' ', coalesce(NEW.first_name, CASE WHEN is_confirmed THEN person.first_name END),
    coalesce(NEW.last_name, CASE WHEN is_confirmed THEN person.last_name END), person.email));
  RETURN NEW;
END $$;
--> statement-breakpoint
DROP TRIGGER memberships_search_counts ON memberships;
--> statement-breakpoint
-- Apart, because every sign-in names the columns and hardly any changes them.
CREATE TRIGGER memberships_search_counts BEFORE UPDATE OF counts, status ON memberships FOR EACH ROW
  WHEN ((OLD.counts, OLD.status = 'suspended') IS DISTINCT FROM (NEW.counts, NEW.status = 'suspended'))
  EXECUTE FUNCTION memberships_write_search();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION users_write_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE memberships m SET search = search_fold(concat_ws(' ',
    coalesce(m.first_name, CASE WHEN m.counts AND m.status <> 'suspended' THEN NEW.first_name END),
    coalesce(m.last_name, CASE WHEN m.counts AND m.status <> 'suspended' THEN NEW.last_name END), NEW.email))
    WHERE m.user_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE memberships m SET search = search_fold(concat_ws(' ', m.first_name, m.last_name, u.email))
  FROM users u WHERE u.id = m.user_id AND m.counts AND m.status = 'suspended' AND (m.first_name IS NULL OR m.last_name IS NULL);
