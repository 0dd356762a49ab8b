ALTER TABLE "member" ADD COLUMN "ticket_epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "member_unbound" ON "member" USING btree ("id") WHERE unionid is null;