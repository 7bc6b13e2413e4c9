CREATE TABLE "saml_further_names" (
	"session_id" uuid NOT NULL,
	"application_id" uuid NOT NULL,
	"name_id" text NOT NULL,
	"name_id_format" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saml_further_names_pk" PRIMARY KEY("session_id","application_id","name_id_format","name_id")
);
--> statement-breakpoint
ALTER TABLE "saml_logouts" ALTER COLUMN "application_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "saml_sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "saml_further_names" ADD CONSTRAINT "saml_further_names_session" FOREIGN KEY ("session_id","application_id") REFERENCES "public"."saml_sessions"("session_id","application_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saml_further_names_name" ON "saml_further_names" USING btree ("application_id","name_id");