CREATE TABLE "audit_erasures" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"address_hash" "bytea",
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_erasures_due" ON "audit_erasures" USING btree ("due_at");