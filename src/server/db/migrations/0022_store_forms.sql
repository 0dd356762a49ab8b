CREATE FUNCTION name_pairs(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	select coalesce(array_agg(distinct substr(plain, at, 2)), '{}')
	from (select regexp_replace(lower(normalize(name, NFKC)), '[[:space:][:punct:]·・•]', '', 'g') plain) of, generate_series(1, greatest(length(plain) - 1, 1)) at
	where plain <> ''
$$;--> statement-breakpoint
DROP INDEX "application_one_open";--> statement-breakpoint
ALTER TABLE "application" ADD COLUMN "store_id" integer;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "name_pairs" text[] GENERATED ALWAYS AS (name_pairs(name)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "hours" jsonb;--> statement-breakpoint
ALTER TABLE "store" ADD COLUMN "images" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "application" ADD CONSTRAINT "application_store_id_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "public"."store"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "application_one_open_of_store" ON "application" USING btree ("store_id") WHERE state in ('pending', 'claimed', 'need_more');--> statement-breakpoint
CREATE INDEX "application_by_store" ON "application" USING btree ("store_id","id") WHERE store_id is not null;--> statement-breakpoint
CREATE INDEX "store_by_place" ON "store" USING btree ("lat_e6","lng_e6") WHERE lat_e6 is not null;--> statement-breakpoint
CREATE INDEX "store_by_name" ON "store" USING btree (lower(regexp_replace(normalize("name", NFKC), '\s+', ' ', 'g')));--> statement-breakpoint
CREATE INDEX "store_by_pairs" ON "store" USING gin ("name_pairs");--> statement-breakpoint
CREATE UNIQUE INDEX "application_one_open" ON "application" USING btree ("merchant_id") WHERE queue = 'shop' and store_id is null and state in ('pending', 'claimed', 'need_more');