CREATE TABLE "ledger_daily" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_daily_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"day" varchar(10) NOT NULL,
	"kind" text NOT NULL,
	"biz" text NOT NULL,
	"city_id" integer NOT NULL,
	"mall_id" integer NOT NULL,
	"order_kind" varchar(16) NOT NULL,
	"debit_cents" bigint NOT NULL,
	"credit_cents" bigint NOT NULL,
	"debits" integer NOT NULL,
	"credits" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settle_day" ADD COLUMN "checks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "settle_day" ADD COLUMN "checked_at" bigint;--> statement-breakpoint
ALTER TABLE "settle_day" ADD COLUMN "asked_by" integer;--> statement-breakpoint
ALTER TABLE "settle_day" ADD COLUMN "asked_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_daily_once" ON "ledger_daily" USING btree ("kind","day","biz","city_id","mall_id","order_kind");--> statement-breakpoint
ALTER TABLE "settle_day" ADD CONSTRAINT "settle_day_asked_by_admin_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."admin"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settle_day" ADD CONSTRAINT "settle_day_reopened_by_another" CHECK ("settle_day"."reopened_by" <> "settle_day"."asked_by");--> statement-breakpoint
insert into ledger_daily (day, kind, biz, city_id, mall_id, order_kind, debit_cents, credit_cents, debits, credits)
select t.day, a.kind, t.biz, t.city_id, t.mall_id, coalesce(o.kind, ''), sum(greatest(e.amount_cents, 0)), sum(greatest(-e.amount_cents, 0)), count(*) filter (where e.amount_cents > 0), count(*) filter (where e.amount_cents < 0)
from ledger_txn t join ledger_entry e on e.txn_id = t.id join ledger_account a on a.id = e.account_id left join "order" o on o.id = e.order_id
where (t.xid, t.id) <= (select s.to_xid, s.to_id from ledger_seal s order by s.id desc limit 1) group by 1, 2, 3, 4, 5, 6;
