ALTER TABLE "brand" ADD COLUMN "en_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "logo" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "company" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "city_ids" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "recommended" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "sort" integer DEFAULT 1000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "followers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "brand" ADD COLUMN "merged_into" integer;--> statement-breakpoint
-- Of two brands of one name the later takes its number too.
UPDATE "brand" a SET name = trim(left(a.name, 64 - length(' #' || a.id)) || ' #' || a.id) WHERE EXISTS (SELECT 1 FROM "brand" b WHERE b.id < a.id AND lower(regexp_replace(normalize(b.name, NFKC), '\s+', ' ', 'g')) = lower(regexp_replace(normalize(a.name, NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE UNIQUE INDEX "brand_name_once" ON "brand" USING btree (lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE INDEX "brand_by_sort" ON "brand" USING btree ("sort","id");--> statement-breakpoint
CREATE INDEX "brand_by_state" ON "brand" USING btree ("state","sort","id");--> statement-breakpoint
CREATE INDEX "brand_by_category" ON "brand" USING btree ("category_id","sort","id");--> statement-breakpoint
CREATE INDEX "brand_by_likeness" ON "brand" USING btree (regexp_replace(regexp_replace(lower(normalize("name", NFKC)), '[[:space:]·・•._&''’()-]', '', 'g'), '(官方旗舰店|旗舰店|官方店|官方|品牌)$', ''));--> statement-breakpoint
CREATE INDEX "brand_by_english_name" ON "brand" USING btree (lower("en_name"));--> statement-breakpoint
CREATE INDEX "brand_by_authorisation" ON "brand" USING btree ("auth_end_at");--> statement-breakpoint
CREATE INDEX "brand_by_target" ON "brand" USING btree ("merged_into");--> statement-breakpoint
CREATE INDEX "store_by_brand" ON "store" USING btree ("brand_id");--> statement-breakpoint
CREATE INDEX "product_by_brand" ON "product" USING btree ("brand_id");