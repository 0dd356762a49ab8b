CREATE TABLE "ledger_seal" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_seal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"created_at" bigint NOT NULL,
	"to_xid" bigint NOT NULL,
	"to_id" integer NOT NULL,
	"ids" integer[] NOT NULL,
	"digests" "bytea" NOT NULL,
	"prev_hash" varchar(64) NOT NULL,
	"hash" varchar(64) NOT NULL,
	CONSTRAINT "ledger_seal_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "ledger_txn" ADD COLUMN "xid" bigint DEFAULT (pg_current_xact_id()::text)::bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "settle_line" ADD COLUMN "verify_id" integer;--> statement-breakpoint
ALTER TABLE "settle_line" ADD COLUMN "refund_id" integer;--> statement-breakpoint
CREATE INDEX "ledger_txn_order" ON "ledger_txn" USING btree ("xid","id");--> statement-breakpoint
CREATE INDEX "settle_line_by_use" ON "settle_line" USING btree ("verify_id") WHERE verify_id is not null;--> statement-breakpoint
alter table ledger_txn alter column xid set default op_log_xid();
--> statement-breakpoint
create trigger ledger_seal_append_only before update or delete or truncate on ledger_seal for each statement execute function append_only();
--> statement-breakpoint
alter table ledger_seal enable always trigger ledger_seal_append_only;
--> statement-breakpoint
-- What a seal covers of a transaction: every column that tells something and all of its entries, named here, so that a column added later leaves old digests as they are.
create function ledger_digest(r ledger_txn) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(r.id, r.created_at, r.no, r.biz, r.biz_id, r.biz_no, r.idem_key, r.day, r.memo, r.city_id, r.mall_id, r.amount_cents, r.reverses_id, r.maker_id, r.checker_id, r.xid,
    (select jsonb_agg(jsonb_build_array(e.id, e.account_id, e.at, e.amount_cents, e.balance_after_cents, e.order_id, e.line_id) order by e.id) from ledger_entry e where e.txn_id = r.id))::text, 'UTF8'))
$$;
