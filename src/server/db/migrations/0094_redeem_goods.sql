ALTER TABLE "code_batch" ADD COLUMN "goods" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "code_batch" ADD COLUMN "goods_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "redeem_log" ADD COLUMN "handed_at" bigint;--> statement-breakpoint
ALTER TABLE "redeem_log" ADD COLUMN "handed_by" integer;--> statement-breakpoint
ALTER TABLE "redeem_log" ADD COLUMN "handed_store_id" integer;--> statement-breakpoint
ALTER TABLE "redeem_log" ADD CONSTRAINT "redeem_log_handed_by_admin_id_fk" FOREIGN KEY ("handed_by") REFERENCES "public"."admin"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "redeem_log" ADD CONSTRAINT "redeem_log_handed_store_id_store_id_fk" FOREIGN KEY ("handed_store_id") REFERENCES "public"."store"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "redeem_log_by_handing" ON "redeem_log" USING btree ("handed_by","handed_at") WHERE handed_at is not null;