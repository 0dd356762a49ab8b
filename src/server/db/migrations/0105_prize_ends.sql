DROP INDEX "code_batch_by_end";--> statement-breakpoint
DROP INDEX "redeem_log_prize_open";--> statement-breakpoint
CREATE INDEX "redeem_code_own_end" ON "redeem_code" USING btree ("end_at","id") WHERE end_at is not null;--> statement-breakpoint
CREATE INDEX "code_batch_by_end" ON "code_batch" USING btree ("end_at","id");--> statement-breakpoint
CREATE INDEX "redeem_log_prize_open" ON "redeem_log" USING btree ("created_at","id","batch_id","code_id") WHERE granted->>'goods' <> '' and revoked_at is null and handed_at is null;