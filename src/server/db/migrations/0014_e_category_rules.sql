ALTER TABLE "e_category" ADD COLUMN "icon" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "e_category" ADD COLUMN "picture" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "e_category" ADD COLUMN "commission_bp" integer;--> statement-breakpoint
ALTER TABLE "e_category" ADD COLUMN "return_policy" jsonb;--> statement-breakpoint
ALTER TABLE "e_category" ADD COLUMN "searchable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "e_category" ADD COLUMN "merged_into" integer;--> statement-breakpoint
-- Of two siblings of one name the later takes its number too.
UPDATE "e_category" a SET name = a.name || ' #' || a.id WHERE EXISTS (SELECT 1 FROM "e_category" b WHERE b.id < a.id AND coalesce(b.parent_id, 0) = coalesce(a.parent_id, 0) AND lower(regexp_replace(normalize(b.name, NFKC), '\s+', ' ', 'g')) = lower(regexp_replace(normalize(a.name, NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE UNIQUE INDEX "e_category_name_once" ON "e_category" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g'))) WHERE merged_into is null;--> statement-breakpoint
CREATE INDEX "e_category_merged" ON "e_category" USING btree ("merged_into") WHERE merged_into is not null;--> statement-breakpoint
CREATE INDEX "product_by_category" ON "product" USING btree ("category_id","state");--> statement-breakpoint
ALTER TABLE "e_category" ADD CONSTRAINT "e_category_commission" CHECK ("e_category"."commission_bp" between 0 and 5000);