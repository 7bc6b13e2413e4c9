CREATE TABLE "form_responses" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"application_id" uuid NOT NULL,
	"browser_hash" "bytea",
	"sealed_response" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "form_responses" ADD CONSTRAINT "form_responses_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_responses_application" ON "form_responses" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "form_responses_expiry" ON "form_responses" USING btree ("expires_at");