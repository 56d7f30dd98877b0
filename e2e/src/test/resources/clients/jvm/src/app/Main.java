package app;

/** Usage: Main PORT SCHEMA. */
final class Main {
  public static void main(String[] a) {
    java.util.logging.LogManager.getLogManager().reset();
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    String url = "jdbc:mysql://127.0.0.1:" + a[0] + "/" + a[1];
    Hibernate.run(url);
    Migrations.run(url);
    Libraries.run(a[0], a[1], url);
    System.out.println("done");
    System.exit(0);
  }
}
