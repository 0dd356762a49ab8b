CREATE INDEX "redeem_log_prize_handed" ON "redeem_log" USING btree ("created_at") WHERE granted->>'goods' <> '' and revoked_at is null and handed_at is not null;--> statement-breakpoint
CREATE INDEX "redeem_log_prize_open" ON "redeem_log" USING btree ("created_at") WHERE granted->>'goods' <> '' and revoked_at is null and handed_at is null;--> statement-breakpoint
-- Few records give a prize: without this the planner takes most of them to, and reads the whole log.
create statistics redeem_log_goods on (granted->>'goods') from redeem_log;
