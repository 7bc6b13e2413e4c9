ALTER TABLE "applications" ADD COLUMN "withheld_grant_types" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "secrets_ended" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "told_at" timestamp (3) with time zone;--> statement-breakpoint
-- Nobody recorded what administrators have taken away from clients that manage themselves: whatever they lack may be it.
UPDATE "applications" SET "withheld_grant_types" = ARRAY(
  SELECT unnest(ARRAY['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'])
  EXCEPT SELECT unnest("grant_types"))
WHERE "registration_token_hash" IS NOT NULL;
