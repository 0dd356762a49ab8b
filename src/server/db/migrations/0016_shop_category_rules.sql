ALTER TABLE "shop_category" ADD COLUMN "icon" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_category" ADD COLUMN "commission_bp" integer;--> statement-breakpoint
ALTER TABLE "shop_category" ADD COLUMN "product_kinds" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "shop_category" ADD COLUMN "merged_into" integer;--> statement-breakpoint
-- Of two siblings of one name the later takes its number too.
UPDATE "shop_category" a SET name = a.name || ' #' || a.id WHERE EXISTS (SELECT 1 FROM "shop_category" b WHERE b.id < a.id AND coalesce(b.parent_id, 0) = coalesce(a.parent_id, 0) AND lower(regexp_replace(normalize(b.name, NFKC), '\s+', ' ', 'g')) = lower(regexp_replace(normalize(a.name, NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE UNIQUE INDEX "shop_category_name_once" ON "shop_category" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g'))) WHERE merged_into is null;--> statement-breakpoint
CREATE INDEX "shop_category_merged" ON "shop_category" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "store_by_category" ON "store" USING btree ("category_id","id");--> statement-breakpoint
ALTER TABLE "shop_category" ADD CONSTRAINT "shop_category_commission" CHECK ("shop_category"."commission_bp" between 0 and 5000);