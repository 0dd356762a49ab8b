CREATE FUNCTION text_grams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	select coalesce(array_agg(distinct substr(word, at, n)), '{}')
	from regexp_split_to_table(lower(normalize(words, NFKC)), '\s+') word, generate_series(1, length(word)) at, generate_series(1, 2) n
	where at + n <= length(word) + 1
$$;--> statement-breakpoint
DROP INDEX "growth_ledger_by_kind";--> statement-breakpoint
DROP INDEX "growth_ledger_levels";--> statement-breakpoint
ALTER TABLE "wecom_material" ADD COLUMN "file_kind" text GENERATED ALWAYS AS (case kind when 'miniprogram' then 'image' else kind end) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "wecom_material" ADD COLUMN "grams" text[] GENERATED ALWAYS AS (text_grams(title || ' ' || category)) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "growth_ledger_up" ON "growth_ledger" USING btree ("at","id") WHERE delta > 0;--> statement-breakpoint
CREATE INDEX "growth_ledger_down" ON "growth_ledger" USING btree ("at","id") WHERE delta < 0;--> statement-breakpoint
CREATE INDEX "wecom_material_by_grams" ON "wecom_material" USING gin ("grams");--> statement-breakpoint
CREATE INDEX "growth_ledger_by_kind" ON "growth_ledger" USING btree ("kind","at","id");--> statement-breakpoint
CREATE INDEX "growth_ledger_levels" ON "growth_ledger" USING btree ("at","id") WHERE level_before <> level_after;--> statement-breakpoint
insert into wecom_media (file_key, kind, tried_at) select distinct file_key, file_kind, 0 from wecom_material where file_key is not null on conflict do nothing;
