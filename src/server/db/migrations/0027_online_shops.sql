-- By hand: shops of one merchant that are called the same are told apart by their number.
UPDATE "store" s SET name = left(s.name, 30) || ' ' || s.id WHERE s.kind = 'online' AND EXISTS (SELECT 1 FROM "store" o WHERE o.kind = 'online' AND o.merchant_id = s.merchant_id AND o.id < s.id AND lower(regexp_replace(normalize(o.name, NFKC), '\s+', ' ', 'g')) = lower(regexp_replace(normalize(s.name, NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "sort" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "shop_type" text;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "category_ids" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "commission_bp" integer;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "commission_reason" text;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "ship_area" text;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "freight_template_id" integer;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "return_address_id" integer;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "invoice" text;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "draft_by" integer;--> statement-breakpoint
-- By hand: the shops that are there are flagships of their one category.
UPDATE "store" SET shop_type = 'flagship', category_ids = jsonb_build_array(category_id) WHERE kind = 'online';--> statement-breakpoint
ALTER TABLE "store" ADD CONSTRAINT "store_freight_template_id_freight_template_id_fk" FOREIGN KEY ("freight_template_id") REFERENCES "public"."freight_template"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store" ADD CONSTRAINT "store_return_address_id_return_address_id_fk" FOREIGN KEY ("return_address_id") REFERENCES "public"."return_address"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settle_line_to_settle" ON "settle_line" USING btree ("store_id") WHERE status in ('not_settled', 'freezing');--> statement-breakpoint
CREATE INDEX "store_shops" ON "store" USING btree ("sort","id") WHERE kind = 'online';--> statement-breakpoint
CREATE UNIQUE INDEX "store_shop_name_once" ON "store" USING btree ("merchant_id",lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g'))) WHERE kind = 'online' and status <> 'closed';--> statement-breakpoint
CREATE UNIQUE INDEX "store_self_run_once" ON "store" USING btree ("mall_id") WHERE shop_type = 'self_run' and status <> 'closed';--> statement-breakpoint
ALTER TABLE "store" ADD CONSTRAINT "store_commission" CHECK ("store"."commission_bp" between 0 and 5000);