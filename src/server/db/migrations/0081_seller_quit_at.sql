ALTER TABLE "distributor" ADD COLUMN "quit_at" bigint;--> statement-breakpoint
-- Who quit before it was noted did so at the last change of the row.
UPDATE "distributor" SET "quit_at" = "updated_at" WHERE "status" = 'quit';
