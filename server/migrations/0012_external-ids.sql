-- Two sign-ins at once could give two members of a team one external id. Whoever was there first keeps it; the provider says the other's
-- again at the next sign-in.
UPDATE "memberships" later SET "external_id" = NULL FROM "memberships" earlier
  WHERE earlier."organization_id" = later."organization_id" AND earlier."external_id" = later."external_id"
    AND (earlier."created_at", earlier."id") < (later."created_at", later."id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_external_id" ON "memberships" USING btree ("organization_id","external_id") WHERE "memberships"."external_id" IS NOT NULL;
