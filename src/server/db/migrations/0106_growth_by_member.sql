DROP INDEX "growth_ledger_by_member";--> statement-breakpoint
CREATE INDEX "growth_ledger_by_member" ON "growth_ledger" USING btree ("member_id","at","id");