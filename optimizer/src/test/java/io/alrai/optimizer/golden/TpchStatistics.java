package io.alrai.optimizer.golden;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.StatisticsSource;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;

/** What is known of the TPC-H tables at scale factor 1, from the specification. */
final class TpchStatistics {
  private static final Map<String, TableStatistics> TABLES = tables();

  private TpchStatistics() {}

  static StatisticsSource source() {
    return table -> TABLES.getOrDefault(table.name(), TableStatistics.UNKNOWN);
  }

  private static Map<String, TableStatistics> tables() {
    Map<String, TableStatistics> tables = new HashMap<>();
    tables.put("region", table(5, "r_regionkey 5 0 4, r_name 5"));
    tables.put("nation", table(25, "n_nationkey 25 0 24, n_name 25, n_regionkey 5 0 4"));
    tables.put(
        "supplier",
        table(
            10_000,
            "s_suppkey 10000 1 10000, s_name 10000, s_nationkey 25 0 24, s_acctbal 9955 -999"
                + " 10000"));
    tables.put(
        "customer",
        table(
            150_000,
            "c_custkey 150000 1 150000, c_name 150000, c_nationkey 25 0 24, c_mktsegment 5,"
                + " c_acctbal 140187 -999 10000"));
    tables.put(
        "part",
        table(
            200_000,
            "p_partkey 200000 1 200000, p_name 200000, p_mfgr 5, p_brand 25, p_type 150, p_size 50"
                + " 1 50, p_container 40"));
    tables.put(
        "partsupp",
        table(
            800_000,
            "ps_partkey 200000 1 200000, ps_suppkey 10000 1 10000, ps_availqty 9999 1 9999,"
                + " ps_supplycost 99901 1 1000"));
    tables.put(
        "orders",
        table(
            1_500_000,
            "o_orderkey 1500000 1 6000000, o_custkey 99996 1 150000, o_orderstatus 3, o_orderdate"
                + " 2406 1992-01-01 1998-08-02, o_orderpriority 5, o_shippriority 1"));
    tables.put(
        "lineitem",
        table(
            6_001_215,
            "l_orderkey 1500000 1 6000000, l_partkey 200000 1 200000, l_suppkey 10000 1 10000,"
                + " l_linenumber 7 1 7, l_quantity 50 1 50, l_discount 11 0 0.1, l_tax 9 0 0.08,"
                + " l_returnflag 3, l_linestatus 2, l_shipdate 2526 1992-01-02 1998-12-01,"
                + " l_commitdate 2466 1992-01-31 1998-10-31, l_receiptdate 2554 1992-01-04"
                + " 1998-12-31, l_shipinstruct 4, l_shipmode 7"));
    return tables;
  }

  private static TableStatistics table(double rows, String columns) {
    Map<String, ColumnStatistics> all = new HashMap<>();
    for (String column : columns.split(", *")) {
      String[] words = column.strip().split("\\s+");
      double distinct = Double.parseDouble(words[1]);
      all.put(
          words[0],
          words.length == 2
              ? ColumnStatistics.ofDistinct(distinct)
              : ColumnStatistics.ofRange(distinct, number(words[2]), number(words[3])));
    }
    return new TableStatistics(rows, all);
  }

  private static double number(String text) {
    return text.matches("\\d{4}-.*")
        ? LocalDate.parse(text).toEpochDay()
        : Double.parseDouble(text);
  }
}
