CREATE TABLE "team_seats" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"taken" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "team_seats" ADD CONSTRAINT "team_seats_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "groups_folded_name" ON "groups" USING btree ("organization_id",lower(name) COLLATE "C");--> statement-breakpoint
CREATE INDEX "scim_users_display_name" ON "scim_users" USING btree ("organization_id",left(lower(data ->> 'displayName'), 200) COLLATE "C") WHERE data ? 'displayName';--> statement-breakpoint
CREATE INDEX "scim_users_emails" ON "scim_users" USING gin ((lower(data ->> 'emails')::jsonb) jsonb_path_ops) WHERE data ? 'emails';
--> statement-breakpoint
-- Every join and every leave writes the row: with room beside it, no index is touched.
ALTER TABLE team_seats SET (fillfactor = 50);
--> statement-breakpoint
-- Whichever door somebody comes through or leaves by, and when an account or a team goes with its memberships. Teams in one order, so
-- that two who leave several at once do not wait in a circle.
CREATE FUNCTION memberships_count_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO team_seats (organization_id, taken)
      SELECT organization_id, count(*)::int FROM moved GROUP BY organization_id ORDER BY organization_id
      ON CONFLICT (organization_id) DO UPDATE SET taken = team_seats.taken + excluded.taken;
  ELSE
    PERFORM 1 FROM team_seats WHERE organization_id IN (SELECT organization_id FROM moved) ORDER BY organization_id FOR NO KEY UPDATE;
    UPDATE team_seats s SET taken = s.taken - gone.count
      FROM (SELECT organization_id, count(*)::int AS count FROM moved GROUP BY organization_id) gone
      WHERE s.organization_id = gone.organization_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Before the rows are counted: nobody joins in between.
CREATE TRIGGER memberships_seats_taken AFTER INSERT ON memberships REFERENCING NEW TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION memberships_count_seats();
--> statement-breakpoint
CREATE TRIGGER memberships_seats_left AFTER DELETE ON memberships REFERENCING OLD TABLE AS moved
  FOR EACH STATEMENT EXECUTE FUNCTION memberships_count_seats();
--> statement-breakpoint
INSERT INTO team_seats (organization_id, taken) SELECT organization_id, count(*)::int FROM memberships GROUP BY organization_id;
