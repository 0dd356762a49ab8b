ALTER TABLE "code_batch" ADD COLUMN "vip_card_id" integer;--> statement-breakpoint
ALTER TABLE "code_batch" ADD COLUMN "vip_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "code_batch" ADD COLUMN "vip_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "vip_card_order" ADD COLUMN "before" jsonb;--> statement-breakpoint
ALTER TABLE "code_batch" ADD CONSTRAINT "code_batch_vip_card_id_vip_card_id_fk" FOREIGN KEY ("vip_card_id") REFERENCES "public"."vip_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_batch_with_days" ON "code_batch" USING btree ("id") WHERE vip_card_id is not null;--> statement-breakpoint
ALTER TABLE "code_batch" ADD CONSTRAINT "code_batch_vip_days" CHECK ("code_batch"."vip_days" between 0 and 366 and ("code_batch"."vip_days" = 0 or "code_batch"."vip_card_id" is not null));