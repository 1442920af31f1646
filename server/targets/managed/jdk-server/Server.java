// The managed server "jdk": the JDK's own com.sun.net.httpserver with the documents in memory. Its argument is the path of its
// settings.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

public final class Server {
    /** Connections that wait to be accepted; the kernel has a limit of its own. */
    private static final int BACKLOG = 8192;

    public static void main(String[] args) throws Exception {
        // The last lines of a log are what is quoted, and a stack has its reason in the first.
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> System.err.println(error));
        Properties asked = new Properties();
        asked.load(Files.newBufferedReader(Path.of(args[0])));
        InetSocketAddress address =
            new InetSocketAddress(asked.getProperty("address"), Integer.parseInt(asked.getProperty("port")));
        HttpServer server = asked.containsKey("identity") ? secure(address, asked) : HttpServer.create(address, BACKLOG);
        answer(server, asked);
        server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(asked.getProperty("threads"))));
        server.start();
    }

    private static void answer(HttpServer server, Properties asked) throws IOException {
        Map<String, byte[]> pages = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(asked.getProperty("documents")), "*.html")) {
            for (Path file : files) pages.put("/" + file.getFileName(), Files.readAllBytes(file));
        }
        boolean keepAlive = Boolean.parseBoolean(asked.getProperty("keepAlive"));
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            if (!keepAlive) exchange.getResponseHeaders().set("Connection", "close");
            if (exchange instanceof HttpsExchange && path.equals(asked.getProperty("witnessPath"))) {
                var session = ((HttpsExchange) exchange).getSSLSession();
                String agreed = session.getProtocol() + " " + session.getCipherSuite();
                exchange.getResponseHeaders().set(asked.getProperty("agreedHeader"), agreed);
            }
            send(exchange, pages.get(path));
        });
    }

    private static void send(HttpExchange exchange, byte[] page) throws IOException {
        try (exchange) {
            if (page == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            // A length of 0 would mean an unknown one.
            exchange.sendResponseHeaders(200, page.length == 0 ? -1 : page.length);
            exchange.getResponseBody().write(page);
        }
    }

    private static HttpServer secure(InetSocketAddress address, Properties asked) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        String authority = asked.getProperty("clientAuthority");
        KeyManager[] keys = {new Identity(asked.getProperty("identity"), Boolean.parseBoolean(asked.getProperty("resumption")))};
        context.init(keys, authority == null ? null : trusting(authority).getTrustManagers(), null);
        HttpsServer server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters chosen = context.getDefaultSSLParameters();
                chosen.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
                chosen.setNeedClientAuth(authority != null);
                parameters.setSSLParameters(chosen);
            }
        });
        return server;
    }

    private static TrustManagerFactory trusting(String path) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("clients", certificatesOf(Files.readString(Path.of(path))).get(0));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static List<X509Certificate> certificatesOf(String pem) throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        for (byte[] der : blocks(pem, "CERTIFICATE")) {
            Certificate each = factory.generateCertificate(new ByteArrayInputStream(der));
            certificates.add((X509Certificate) each);
        }
        return certificates;
    }

    private static List<byte[]> blocks(String pem, String name) {
        List<byte[]> found = new ArrayList<>();
        Matcher matcher = Pattern.compile("-----BEGIN " + name + "-----([^-]+)-----END").matcher(pem);
        while (matcher.find()) {
            found.add(Base64.getMimeDecoder().decode(matcher.group(1).getBytes(StandardCharsets.US_ASCII)));
        }
        return found;
    }

    /** The one certificate with its chain and key. JSSE has no switch for sessions of TLS 1.2, so a session that must not be resumed ends here. */
    private static final class Identity extends X509ExtendedKeyManager {
        private final X509Certificate[] chain;
        private final PrivateKey key;
        private final boolean resumption;

        Identity(String path, boolean resumption) throws GeneralSecurityException, IOException {
            String pem = Files.readString(Path.of(path));
            this.chain = certificatesOf(pem).toArray(new X509Certificate[0]);
            this.key = KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm())
                .generatePrivate(new PKCS8EncodedKeySpec(blocks(pem, "PRIVATE KEY").get(0)));
            this.resumption = resumption;
        }

        @Override
        public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
            if (!resumption) engine.getHandshakeSession().invalidate();
            boolean fits = key.getAlgorithm().equals(keyType) || (keyType.equals("RSASSA-PSS") && key.getAlgorithm().equals("RSA"));
            return fits ? "server" : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[] {"server"};
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return "server";
        }

        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
