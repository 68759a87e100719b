from luckless.cli import main

main()
