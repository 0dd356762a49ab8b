DROP INDEX "page_scheme_once";--> statement-breakpoint
ALTER TABLE "page_scheme" ADD COLUMN "is_fallback" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "page_scheme_fallback_once" ON "page_scheme" USING btree ("type") WHERE "page_scheme"."is_fallback";--> statement-breakpoint
CREATE INDEX "page_scheme_by_category" ON "page_scheme" USING btree ("category_id") WHERE category_id > 0;--> statement-breakpoint
CREATE UNIQUE INDEX "page_scheme_once" ON "page_scheme" USING btree ("type",coalesce("city_id", 0),"category_id","brand_id") WHERE not "page_scheme"."is_template";