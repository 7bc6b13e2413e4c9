CREATE TABLE "saml_heard_logouts" (
	"application_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saml_heard_logouts_application_id_hash_pk" PRIMARY KEY("application_id","hash")
);
--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saml_metadata_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "saml_from_metadata" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD COLUMN "certificate_warning" jsonb;--> statement-breakpoint
ALTER TABLE "sso_sessions" ADD COLUMN "saml_name" jsonb;--> statement-breakpoint
ALTER TABLE "saml_heard_logouts" ADD CONSTRAINT "saml_heard_logouts_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saml_heard_logouts_expiry" ON "saml_heard_logouts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sso_providers_metadata_due" ON "sso_providers" USING btree ("saml_metadata_due_at") WHERE saml_metadata_url IS NOT NULL;