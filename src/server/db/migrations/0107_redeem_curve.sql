DROP INDEX "redeem_log_by_time";--> statement-breakpoint
CREATE INDEX "redeem_log_by_hour" ON "redeem_log" USING btree ("created_at","result");